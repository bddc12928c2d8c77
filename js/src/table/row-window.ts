// Which rows of a long list are in a scrolled view, and where they stand there. No elements here.

/** Pixels of a row, and of the header, which stays above the rows. */
const ROW = 24;
/** Pixels that browsers let an element be high; of more rows each pixel stands for several. */
const HIGHEST = 15e6;

/** Pixels that a list is high. */
export const heightOf = (rows: number): number => Math.min(rows * ROW, HIGHEST);

/** Pixels that a view of some height leaves for the rows. */
const roomIn = (viewHeight: number): number => Math.max(viewHeight - ROW, ROW);

/** Rows that fit into a view, and the first of them. */
export function rowsInView(rows: number, viewHeight: number, scrollTop: number): { first: number; fits: number } {
  const room = roomIn(viewHeight);
  const share = Math.min(scrollTop / Math.max(heightOf(rows) - room, 1), 1);
  const last = Math.max(rows - room / ROW, 0);
  return { first: Math.floor(share * last), fits: Math.ceil(room / ROW) + 1 };
}

/** Where the first of the rows in view stands in the list: they are where the scrolled view is, and replaced as it moves. */
export function topOf(first: number, drawn: number, rows: number, scrollTop: number): number {
  if (rows * ROW <= HIGHEST) return first * ROW;
  return Math.min(scrollTop, Math.max(heightOf(rows) - drawn * ROW, 0));
}

/** How far to scroll so that a row comes into view; null where it is there. */
export function scrollTo(row: number, rows: number, viewHeight: number, scrollTop: number): number | null {
  const { first, fits } = rowsInView(rows, viewHeight, scrollTop);
  if (row >= first && row < first + fits - 2) return null;
  const room = roomIn(viewHeight);
  const last = Math.max(rows - room / ROW, 1);
  const above = row < first ? row : row - Math.floor(room / ROW) + 1;
  return Math.ceil((Math.max(above, 0) / last) * Math.max(heightOf(rows) - room, 0));
}
