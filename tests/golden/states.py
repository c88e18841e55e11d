"""The states whose windows are kept as pictures: each page of each panel, each workspace, tables of every size."""

from typing import Final

# By name, what is set as after --set; each page of each panel stands in front in one of them.
STATES: Final[dict[str, dict[str, str]]] = {
    "start": {},
    "rotation": {"front": "rotation", "clock.shows_bits": "true", "position": "3.25", "offset": "-9", "pair": "7"},
    "algebra": {"front": "rotation", "rotation.page": "algebra", "clock.mode": "each", "waves.mode": "overlay"},
    "verdicts": {"preset": "linear-spacing", "front": "properties", "position": "100.25", "offset": "-9"},
    "collisions": {
        "preset": "reach-4", "front": "properties", "properties.page": "collisions", "matrix.is_transposed": "true",
    },
    "distance": {
        "d_model": "512", "front": "properties", "properties.page": "distance", "properties.check": "norm",
        "matrix.range": "0.5",
    },
    "scales": {"preset": "ranges", "matrix.adds_embedding": "true", "span": "200..420.5"},
    "smallest": {"n_positions": "1", "d_model": "2", "matrix.shows_terms": "true"},
    "largest": {"n_positions": "1000000", "d_model": "4096", "position": "123456.25", "offset": "-5000"},
    "random": {"preset": "random", "d_model": "512", "similarity.measure": "distance", "similarity.rows": "8..60"},
    "binary": {"preset": "binary", "front": "rotation", "matrix.shows_terms": "true"},
    "odd-width": {"preset": "odd-width", "front": "properties", "similarity.measure": "cosine"},
    "four-waves": {"preset": "four-waves", "similarity.colors": "printed", "similarity.range": "seen"},
    "compare": {"preset": "table-of-ablations", "compare.is_open": "true"},
    "difference": {"preset": "fairseq", "compare.is_open": "true", "compare.shows": "difference"},
    "attention": {"preset": "chef", "scheme": "t5", "causal": "true"},
    "four-terms": {"preset": "terms"},
    "look-back": {"preset": "three-back", "clock.mode": "each"},
    "look-back-weights": {"preset": "three-back", "kind": "random", "look-back.shows": "weights", "offset": "-30"},
    "rotary": {"preset": "rope"},
    "rotary-decay": {"preset": "offsets", "rotary.page": "decay", "rotary_share": "0.5", "pairing": "mixed"},
    "rotary-reasons": {"preset": "reasons", "drops_positions": "true"},
    "derivation-log": {"preset": "derive-log", "study.is_open": "true"},
    "derivation-block": {"preset": "derive-block", "study.is_open": "true", "facts.is_open": "true"},
    "derivation-entries": {"preset": "derive-entries", "study.is_open": "true"},
    "derivation-system": {"preset": "derive-system", "study.is_open": "true"},
    "derivation-dot": {"preset": "derive-dot", "study.is_open": "true"},
    "derivation-distance": {"preset": "derive-distance", "study.is_open": "true"},
    "derivation-length": {"preset": "derive-length", "study.is_open": "true"},
    "derivation-unique": {"preset": "derive-unique", "study.is_open": "true"},
    "derivation-toeplitz": {"preset": "derive-toeplitz", "study.is_open": "true"},
    "code": {"preset": "code", "kind": "position-map"},
    "code-module": {"preset": "module"},
    "code-broadcast": {"preset": "broadcast"},
    "code-session": {"preset": "session"},
    "code-forward": {"preset": "timesteps"},
    "precision": {"preset": "ids-bfloat16"},
    "precision-forms": {"preset": "log-space"},
    "precision-printed": {"preset": "printed-cosine"},
    # Not trained: seconds differ from run to run.
    "learn": {"front": "learn", "offset": "-5", "learn.scheme": "t5"},
    "decoder": {"preset": "three-read"},
    "decoder-before": {"preset": "three-before"},
    "facts": {"facts.is_open": "true", "facts.card": "shift-is-phase", "facts.shown": "shift-is-phase"},
    "facts-open": {"preset": "chef", "facts.is_open": "true", "facts.verdict": "open"},
}  # fmt: skip
THEMES: Final = ("light", "dark")
SIZES: Final = ((1280, 720), (1600, 1000), (1920, 1200))
