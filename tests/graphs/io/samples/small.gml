Creator "a, b"
# a comment
graph [
  directed 0
  node [ id 10 label "A &#228; &amp; B" value 1.5 graphics [ x 1.0 y -2.5 w 3 ] ]
  node [ id -2 label "two
lines" deep [ deeper [ deepest 1 ] ] ]
  edge [ source 10 target -2 value 3 weight 0.5 ]
  edge [ source -2 target 10 weight 1E-1 ]
]
