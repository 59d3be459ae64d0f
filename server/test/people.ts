/** The same people in tests, journeys, docs and `npm run dev` (architecture §6.3). */
export const people = {
  ana: {
    email: 'ana.kovac@example.com',
    password: 'vrata-so-odprta-7',
    first_name: 'Ana',
    last_name: 'Kovač',
    language: 'sl-SI',
  },
  bor: {
    email: 'bor.horvat@example.com',
    password: 'burja-nad-krasom-3',
    first_name: 'Bor',
    last_name: 'Horvat',
    language: 'hr-HR',
  },
  cvetka: {
    email: 'cvetka.zajc@example.com',
    password: 'lipa-pred-hiso-12',
    first_name: 'Cvetka',
    last_name: 'Zajc',
    language: 'en-US',
  },
  /** Member of no organization; used for access that must be denied. */
  drago: {
    email: 'drago.tujec@example.com',
    password: 'tuja-vrata-zaprta-5',
    first_name: 'Drago',
    last_name: 'Tujec',
    language: 'en-US',
  },
} as const
export type PersonName = keyof typeof people
export type PersonData = (typeof people)[PersonName]

/** Ana's organization and its app. */
export const studio = { name: 'Kraški studio', website: 'https://kraski.example' } as const
export const jadrolet = {
  name: 'Jadrolet',
  redirect_uri: 'http://localhost:4000/callback',
  home_page_url: 'https://jadrolet.example',
} as const
