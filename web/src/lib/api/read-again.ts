import { QueryClient } from '@tanstack/react-query'

/** In milliseconds: a slow network needs less, and a person would not wait longer. */
const LONGEST = 3000

/**
 * Waits until the page has refetched the changed data, so that it shows the change when the dialog closes, but not for an answer that does
 * not arrive: the change is stored, and a busy dialog would suggest that it is not. Data that arrives later is shown then.
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
