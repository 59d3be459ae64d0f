export const guide = {
  search: 'Search the documentation',
  found: 'Results',
  found_count: '{count, plural, one {# result} other {# results}}',
  found_nothing: 'Nothing found. Try another word.',
  contents: 'Contents',
  on_this_page: 'On this page',
  neighbours: 'Previous and next page',
  in_english: 'The documentation is in English.',
  values: 'Fill in the values of',
  'values.example': 'Example values',
  missing: 'There is no page of this name',
  missing_text: 'It may have moved. The contents and the search know all pages.',
} as const
