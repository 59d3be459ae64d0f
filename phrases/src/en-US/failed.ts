/** What the document itself says when no script runs: written into it by the build, never loaded. */
export const failed = {
  heading: 'The page could not start',
  text: 'A part of the page did not arrive. Check the connection and load the page again.',
  reload: 'Load again',
  noscript: 'This page needs JavaScript. Switch it on in your browser, then load the page again.',
} as const
