import { accentTokens, type branding } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import type { Adapters } from '../../deps.ts'
import { findBranding } from './store.ts'
import { toBranding } from './to-branding.ts'

/** Signal that the branding has changed. */
export const BRANDING_CHANNEL = 'branding'
/** Milliseconds until the next attempt when the database did not answer. */
const RETRY = 1000

/** The branding, which every page and mail needs, as of the last signal. */
export class CurrentBranding {
  readonly #db: ReadDb
  readonly #log: Adapters['log']
  readonly #stop: (() => void)[]
  /** Reads that have begun, and the one whose answer is shown: of two at once, the later one may be answered first. */
  #begun = 0
  #shown = 0
  /** The row as text; versions would not tell a database that has lost the last changes in a failover. */
  #row: string | undefined
  #branding = toBranding(undefined)
  #public: branding.PublicBranding = {}
  #retry: NodeJS.Timeout | undefined
  #closed = false

  private constructor(db: ReadDb, { signals, log }: Pick<Adapters, 'signals' | 'log'>) {
    this.#db = db
    this.#log = log
    // Also without a signal: it may be lost, and on SQLite commands send none.
    const timer = setInterval(() => void this.refresh(), signals.maxAge).unref()
    this.#stop = [
      signals.on(BRANDING_CHANNEL, () => void this.refresh()),
      () => clearInterval(timer),
      () => clearTimeout(this.#retry),
    ]
  }

  static async open(db: ReadDb, adapters: Pick<Adapters, 'signals' | 'log'>): Promise<CurrentBranding> {
    const current = new CurrentBranding(db, adapters)
    await current.refresh()
    return current
  }

  now(): branding.Branding {
    return this.#branding
  }

  /** The part that pages know. The object is the same until the branding changes. */
  public(): branding.PublicBranding {
    return this.#public
  }

  /** Reads it again. Without an answer of the database the last one stays, and it is read again later. */
  async refresh(): Promise<void> {
    clearTimeout(this.#retry)
    this.#begun += 1
    const read = this.#begun
    try {
      const row = await findBranding(this.#db)
      if (read < this.#shown) return
      this.#shown = read
      const text = JSON.stringify(row ?? null)
      if (text === this.#row) return
      this.#row = text
      this.#branding = toBranding(row)
      this.#public = toPublic(this.#branding)
    } catch (error) {
      if (this.#closed) return
      this.#log.warn({ err: error }, 'the branding was not read')
      this.#retry = setTimeout(() => void this.refresh(), RETRY).unref()
    }
  }

  close(): void {
    this.#closed = true
    for (const stop of this.#stop) stop()
  }
}

/** Leaves out what is as delivered. */
function toPublic({
  accent,
  accent_colors: _,
  mail_from_name: __,
  mail_footer: ___,
  default_language,
  languages,
  sign_in_text,
  ...rest
}: branding.Branding): branding.PublicBranding {
  const given = Object.entries(rest).filter(([, value]) => value !== null)
  const texts = languages.map((locale) => [locale, sign_in_text[locale] ?? sign_in_text[default_language]])
  return {
    ...Object.fromEntries(given),
    ...(accent === null ? {} : { colors: accentTokens(accent) }),
    ...(texts.some(([, text]) => text) ? { sign_in_text: Object.fromEntries(texts) } : {}),
    ...(languages.length === toBranding(undefined).languages.length ? {} : { languages }),
  } as branding.PublicBranding
}
