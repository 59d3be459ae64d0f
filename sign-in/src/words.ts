import type { SignInFailure } from './error.ts'

const WORDS = {
  en: {
    button: 'Sign in with Vrata',
    blocked: 'Your browser blocked the sign-in window. Allow popups for this page and try again.',
    closed: 'The sign-in window was closed before you finished.',
    denied: 'You did not allow this app.',
    timeout: 'The sign-in took too long. Try again.',
    failed: 'The sign-in did not work. Try again.',
  },
  sl: {
    button: 'Prijava z računom Vrata',
    blocked: 'Brskalnik je ustavil prijavno okno. Dovolite pojavna okna na tej strani in poskusite znova.',
    closed: 'Prijavno okno ste zaprli pred koncem.',
    denied: 'Te aplikacije niste dovolili.',
    timeout: 'Prijava je trajala predolgo. Poskusite znova.',
    failed: 'Prijava ni uspela. Poskusite znova.',
  },
  hr: {
    button: 'Prijava računom Vrata',
    blocked:
      'Preglednik je zaustavio prozor za prijavu. Dopustite skočne prozore na ovoj stranici i pokušajte ponovno.',
    closed: 'Prozor za prijavu zatvorili ste prije kraja.',
    denied: 'Niste dopustili ovu aplikaciju.',
    timeout: 'Prijava je trajala predugo. Pokušajte ponovno.',
    failed: 'Prijava nije uspjela. Pokušajte ponovno.',
  },
} as const satisfies Record<string, Record<SignInFailure | 'button', string>>

/** Words in the first of these languages that we speak; of the page, else of the browser, when none is given. */
export function wordsIn(...wanted: (string | undefined)[]) {
  const languages = [...wanted, document.documentElement.lang, ...navigator.languages]
  const known = languages.map((language) => language?.slice(0, 2).toLowerCase()).find((code) => code && code in WORDS)
  return WORDS[(known ?? 'en') as keyof typeof WORDS]
}

/** What to tell the person, in their language. */
export function messageOf(error: { reason?: SignInFailure }, locale?: string): string {
  return wordsIn(locale)[error.reason ?? 'failed']
}
