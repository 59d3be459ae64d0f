import type { SignInFailure } from './error.ts'

/** Declared by the first line of `/sign-in.js` where the installation has a name of its own (`server/src/http/pages/assets.ts`). */
declare const INSTALLATION_NAME: string | undefined

/** The name of the installation instead of the product's; undefined without one, and where this package is bundled with an app. */
export const installationName = typeof INSTALLATION_NAME === 'undefined' ? undefined : INSTALLATION_NAME

const TEXTS = {
  en: {
    button: 'Sign in with Vrata',
    blocked: 'Your browser blocked the sign-in window. Allow popups for this page and try again.',
    closed: 'The sign-in window was closed before you finished.',
    denied: 'You did not allow access.',
    timeout: 'Sign-in took too long. Try again.',
    failed: 'Sign-in failed. Try again.',
  },
  sl: {
    button: 'Prijava z računom Vrata',
    blocked: 'Brskalnik je blokiral prijavno okno. Na tej strani dovolite pojavna okna in poskusite znova.',
    closed: 'Prijavno okno ste zaprli pred koncem prijave.',
    denied: 'Dostopa niste dovolili.',
    timeout: 'Prijava je trajala predolgo. Poskusite znova.',
    failed: 'Prijava ni uspela. Poskusite znova.',
  },
  hr: {
    button: 'Prijava računom Vrata',
    blocked: 'Preglednik je blokirao prozor za prijavu. Dopustite skočne prozore na ovoj stranici i pokušajte ponovno.',
    closed: 'Prozor za prijavu zatvorili ste prije kraja prijave.',
    denied: 'Niste dopustili pristup.',
    timeout: 'Prijava je trajala predugo. Pokušajte ponovno.',
    failed: 'Prijava nije uspjela. Pokušajte ponovno.',
  },
} as const satisfies Record<string, Record<SignInFailure | 'button', string>>

/** Texts in the first supported language of: the given ones, the page, the browser. */
export function textsFor(...preferred: (string | undefined)[]) {
  const languages = [...preferred, document.documentElement.lang, ...navigator.languages]
  const supported = languages
    .map((language) => language?.slice(0, 2).toLowerCase())
    .find((code) => code && code in TEXTS)
  return TEXTS[(supported ?? 'en') as keyof typeof TEXTS]
}

/** Message for the user. */
export function messageOf(error: { reason?: SignInFailure }, locale?: string): string {
  return textsFor(locale)[error.reason ?? 'failed']
}
