/** Notices for browsers in which no script runs. The build writes them into the document. */
export const loadFailure = {
  heading: 'The page could not be loaded',
  text: 'Part of the page did not load. Check your connection, then reload the page.',
  reload: 'Reload',
  noscript_heading: 'This page needs JavaScript',
  noscript: 'Turn on JavaScript in your browser, then reload the page.',
} as const
