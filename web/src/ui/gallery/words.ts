import type { Words } from '../words.tsx'

/** English texts for the gallery; pages use the phrases. */
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
  least_characters: (count) => `At least ${count} characters`,
  more_characters: (count) => `${count} more characters`,
  invalid: {
    required: 'This field is required.',
    required_own: (field) => `Enter your ${field.toLowerCase()}.`,
    email: 'Enter a full email address, such as ana@example.com.',
    url: 'Enter a full URL, such as https://example.com.',
    pattern: 'Check the format of this value.',
    too_short: (min) => `Enter at least ${min} characters.`,
    other: 'This value is incorrect.',
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
