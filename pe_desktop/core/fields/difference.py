"""The difference of two tables of one width, window by window."""

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.field import Blocks, Means
from pe_desktop.core.fields.table import EncodingField
from pe_desktop.core.record import record


@record
class DifferenceField:
    """Table - reference, column by column as they stand: row r is dimension r; ValueError for another width.

    limit: what the ends of the colour map stand for.
    """

    encoding: Encoding
    reference: Encoding
    limit: float

    def __post_init__(self) -> None:
        if self.encoding.d_model != self.reference.d_model:
            widths = f"{self.encoding.d_model} and {self.reference.d_model}"
            raise ValueError(f"tables of different widths have no difference: {widths}")

    @property
    def shape(self) -> tuple[int, int]:
        return self.encoding.d_model, min(self.encoding.n_positions, self.reference.n_positions)

    @property
    def limits(self) -> tuple[float, float]:
        return -self.limit, self.limit

    @property
    def averages(self) -> str:
        return "mean"

    def means(self, rows: Blocks, columns: Blocks) -> Means:
        """The means of the one less those of the other: a mean is linear."""
        one, other = (EncodingField(some).means(rows, columns) for some in (self.encoding, self.reference))
        return one - other

    def value(self, row: int, column: int) -> float:
        one, other = (float(some.values([column], [row])[0, 0]) for some in (self.encoding, self.reference))
        return one - other
