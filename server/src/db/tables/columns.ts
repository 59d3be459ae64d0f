/** Column types: text and integer only, so that both databases behave the same (decision 0012). Times are UTC in ISO 8601. */
export type Time = string
export type Flag = 0 | 1
export type Json = string
export type Nullable<T> = T | null
