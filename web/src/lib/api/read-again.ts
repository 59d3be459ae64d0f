import { QueryClient } from '@tanstack/react-query'

/** In milliseconds: a slow network needs less, and a person would not wait longer. */
const LONGEST = 3000

/**
 * Waits until the page has read again what a change concerns, so that it shows the change when the dialog closes. Not for an answer that does
 * not come: the change is stored, and a dialog that stays busy would say that it is not. What is read later is shown then.
 */
export async function readAgain(reading: Promise<unknown>): Promise<void> {
  await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, LONGEST))])
}

/** The query client of the pages. Dialogs and buttons that have stored a change wait for `invalidateQueries`. */
export class PageQueries extends QueryClient {
  override invalidateQueries(...given: Parameters<QueryClient['invalidateQueries']>): Promise<void> {
    return readAgain(super.invalidateQueries(...given))
  }
}
