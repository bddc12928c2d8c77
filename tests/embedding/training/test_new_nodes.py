"""Nodes that come later: their vectors, and training on with them."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from embedding_examples import an_embedding
from training_examples import block_model

pytest.importorskip("torch")

from graphne_viz import GraphNE, datasets
from graphne_viz.embedding.api import embed
from graphne_viz.embedding.embedding import Embedding


def held_out(G, seed=0):
    """Return a graph without a tenth of its nodes, these nodes, and the others."""
    nodes = list(G)
    new = [nodes[i] for i in np.random.default_rng(seed).permutation(len(nodes))[: len(nodes) // 10]]
    old = [node for node in nodes if node not in set(new)]
    return G.subgraph(old).copy(), new, old


def recall(G, E, nodes):
    """Mean share of neighbours among as many nearest nodes, of some nodes."""
    places = {node: place for place, node in enumerate(E.ids)}
    shares = []
    for node in nodes:
        neighbors = {places[other] for other in G[node]}
        if neighbors:
            near = E.vectors @ E[node]
            near[places[node]] = -np.inf
            shares.append(len(neighbors & set(np.argsort(-near)[: len(neighbors)].tolist())) / len(neighbors))
    return float(np.mean(shares))


def accuracy(E, classes, old, new):
    """15-NN accuracy of new nodes, told by old ones."""
    from sklearn.neighbors import KNeighborsClassifier

    of = KNeighborsClassifier(15).fit([E[node] for node in old], [classes[node] for node in old])
    return of.score([E[node] for node in new], [classes[node] for node in new])


def check_placed(G, classes, **keywords):
    """New nodes have nearly what they have when they are trained along."""
    rest, new, old = held_out(G)
    E, along = embed(rest, **keywords), embed(G, **keywords)
    placed = E.transform(G)
    assert list(placed.ids) == list(G)
    assert all(np.array_equal(placed[node], E[node]) for node in old)
    assert np.allclose(np.linalg.norm(placed.vectors, axis=1), 1, atol=1e-5)
    assert recall(G, placed, new) >= 0.9 * recall(G, along, new)
    assert accuracy(placed, classes, old, new) >= 0.95 * accuracy(along, classes, old, new)
    return E, placed


def test_new_nodes_follow_the_weights_that_the_training_followed():
    G = nx.connected_caveman_graph(6, 8)
    E = embed(G, dim=16, epochs=30, weight=None, seed=0)
    H = G.copy()
    H.add_edge("new", 0, weight=1e-6)
    H.add_edges_from((("new", node) for node in range(8, 16)), weight=1.0)
    heavy, light = (E.transform(H, weight=weight)["new"] for weight in (None, "weight"))
    assert heavy @ E[0] > light @ E[0] + 0.02
    same = E.transform(H.edge_subgraph(H.edges), weight=None)["new"]
    assert np.allclose(same, heavy, atol=1e-6)
    updated = [E.update(H, weight=weight, epochs=5) for weight in (None, "weight")]
    assert not np.allclose(updated[0]["new"], updated[1]["new"], atol=1e-3)


def test_training_on_where_the_last_coordinates_tell_of_nodes_some_steps_away():
    G, _ = block_model(16, 140, inside=0.05, across=0.0005)
    rest, new, _ = held_out(G)
    E, along = (embed(graph, dim=128, epochs=15, seed=0) for graph in (rest, G))
    assert len(E) > 16 * 113
    updated = E.update(G, epochs=15)
    assert recall(G, updated, new) >= 0.9 * recall(G, along, new)
    assert recall(G, updated, G) >= 0.9 * recall(G, along, G)


def test_nodes_of_a_block_model_placed_afterwards():
    G, blocks = block_model(8, 60, inside=0.08, across=0.002)
    check_placed(G, dict(enumerate(blocks)), dim=64, epochs=30)


def test_nodes_of_cora_placed_afterwards():
    try:
        graph = datasets.load("cora")
    except (OSError, ImportError, ValueError) as error:
        pytest.skip(str(error))
    G = nx.from_scipy_sparse_array(graph.adjacency)
    check_placed(G, dict(enumerate(graph.attributes["class"].astype(str))), epochs=60)


def test_chains_of_new_nodes_and_new_nodes_alone():
    G = nx.cycle_graph(40)
    E = embed(G, 8)
    G.add_edges_from([(39, "a"), ("a", "b"), ("c", "d")])
    G.add_node("e")
    placed = E.transform(G)
    assert placed.most_similar("a", 2)[0][0] in {"b", 39}
    assert placed.most_similar("c", 1)[0][0] == "d"
    assert placed.isolated.tolist() == [False] * 44 + [True]
    assert np.array_equal(placed.vectors[:40], E.vectors)
    assert np.array_equal(E.transform(G).vectors, placed.vectors)
    assert not np.array_equal(E.transform(G, seed=1)["e"], placed["e"])


def test_without_new_nodes_nothing_changes_but_the_order():
    G = nx.path_graph(6)
    E = embed(G, 4, epochs=3)
    again = E.transform(nx.relabel_nodes(nx.path_graph(6), {i: 5 - i for i in range(6)}))
    assert all(np.array_equal(again[node], E[node]) for node in G)


def test_a_graph_without_old_nodes_is_refused():
    E = embed(nx.path_graph(6), 4, epochs=2)
    words = "the graph lacks 2 of the 6 embedded nodes, the first of which is 4; it must have all of them"
    for use in (E.transform, E.update):
        with pytest.raises(ValueError, match=words):
            use(nx.path_graph(4))


def test_training_goes_on_with_new_nodes(tmp_path):
    G, _ = block_model(4, 40, inside=0.3)
    rest, new, old = held_out(G)
    E = embed(rest, 16, epochs=20)
    updated = E.update(G)
    assert (updated.epochs, updated.complete) == (5, True)
    assert list(updated.ids) == list(G)
    # It began where training was, and went on from there.
    kept = [float(updated[node] @ E[node]) for node in old]
    assert 0.7 < np.median(kept) < 0.99999
    assert recall(G, updated, new) > 0.6
    E.save(tmp_path / "e.npz", state=False)
    assert Embedding.load(tmp_path / "e.npz").update(G, epochs=2).epochs == 2
    assert updated.update(G, epochs=3).epochs == 3


def test_an_embedding_of_unknown_training_cannot_be_updated():
    E = an_embedding(ids=range(4))
    with pytest.raises(ValueError, match="does not say how it was trained"):
        E.update(nx.complete_graph(5))


def test_the_estimator_places_the_last_rows_of_a_larger_matrix():
    A = sp.csr_array(nx.to_scipy_sparse_array(nx.connected_caveman_graph(6, 8), dtype=float))
    model = GraphNE(16, epochs=20).fit(A[:44, :44])
    vectors = model.transform(A)
    assert np.array_equal(vectors[:44], model.embedding_)
    alone = model.transform(A[44:, :44])
    assert alone.shape == (4, 16)
    assert (alone @ vectors[40:44].T).mean() > (alone @ vectors[:40].T).mean() + 0.3
    assert (vectors[44:] @ vectors[40:44].T).mean() > (vectors[44:] @ vectors[:40].T).mean() + 0.3
    with pytest.raises(ValueError, match="expecting 44 features as input, or a larger square"):
        model.transform(A[:40, :40])
