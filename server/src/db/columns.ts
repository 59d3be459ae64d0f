/** What columns hold: text and integer only, so that both engines do the same (house.md §8). */
export type Time = string
export type Flag = 0 | 1
export type Json = string
export type Nullable<T> = T | null
