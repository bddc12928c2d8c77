// What words of the field mean, for the tooltips of whatever shows them.

const GLOSSARY: Readonly<Record<string, string>> = {
  "neighbour recall": "the share of a node's neighbours in the graph that are among its nearest nodes in the picture",
  degree: "the number of a node's neighbours",
  "weighted degree": "the sum of the weights of a node's edges",
  pagerank: "how often a walk along random edges comes by: high for nodes that important nodes link to",
  betweenness: "how many shortest paths between other nodes lead through a node: high for bridges",
  "k-core": "the largest k for which a node is in a group where everyone has at least k neighbours within the group",
  clustering: "the share of a node's neighbours that are neighbours of each other",
  closeness: "how near a node is to all that it can reach: the share it reaches, divided by its mean distance in steps",
  eigenvector:
    "how central a node is by the centrality of its neighbours: high for nodes whose neighbours have it high",
  eccentricity: "the number of steps to the farthest node that a node can reach; the largest of all is the diameter",
  communities: "groups with more edges within than between them, found by their modularity",
  "modularity class":
    "the communities by their numbers; modularity is the share of edges within them, less what chance would put there",
  part: "nodes that can reach each other along edges",
  "KL divergence":
    "Kullback-Leibler divergence: how far the picture's neighbourhoods are from the graph's; the lower, the better",
  exaggeration: "how much attraction along edges outweighs repulsion between all nodes",
  "early exaggeration":
    "The first phase: attraction is made much stronger, so that clusters gather before they spread out",
  optimisation: "The main phase: attraction and repulsion are balanced, and the fine structure forms",
  training: "Vectors of many dimensions are trained so that neighbours in the graph come to lie near each other",
};

/** What a term means; "" where it needs no explanation. */
export const meaningOf = (term: string): string => GLOSSARY[term] ?? GLOSSARY[term.toLowerCase()] ?? "";
