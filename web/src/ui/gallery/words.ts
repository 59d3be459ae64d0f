import type { Words } from '../words.tsx'

/** English words for the style guide; pages get theirs from the phrases. */
export const words: Words = {
  show_password: 'Show password',
  hide_password: 'Hide password',
  copy: 'Copy',
  copied: 'Copied',
  close: 'Close',
  search: 'Search',
  nothing_found: 'Nothing found',
  try_again: 'Try again',
  support_code: 'Support code',
  password_secure: 'Secure',
  password_not_secure: 'Not secure',
  more_characters: (count) => `${count} more characters`,
  invalid: {
    required: 'Fill this in.',
    email: 'Write a whole email address, such as ana@example.com.',
    url: 'Write a whole address, such as https://example.com.',
    pattern: 'Check how this is written.',
    too_short: (min) => `Write at least ${min} characters.`,
    other: 'This is not right.',
  },
}

export const ana = {
  first_name: 'Ana',
  last_name: 'Kovač',
  username: null,
  email: 'ana.kovac@example.com',
  profile_picture: null,
}
export const studio = { name: 'Kraški studio', logo: null }
