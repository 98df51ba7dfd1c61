/** The use of a column of the table. */
export type ColumnUse =
  | 'ignore'
  | 'number'
  | 'otherNumbers'
  | 'name'
  | 'firstName'
  | 'lastName'
  | 'tags'
  | 'field';

/** A column of a table, as the person sees it. */
export interface Column {
  /** Its name in the file, which may be empty. */
  header: string;
  /** The name of the field into which it can be imported, different for each column. */
  field: string;
  /** Values of the column. A value with letters beyond ASCII comes first: it shows whether the encoding is right. */
  examples: string[];
  /** How many rows have a value. */
  values: number;
}
