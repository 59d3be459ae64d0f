import { PASSWORD_LIST } from '@vrata/contract/password-list'
import {
  canonicalPassword,
  isListed,
  type PasswordWeakness,
  type PersonalWords,
  patternWeakness,
} from '@vrata/contract/password-rules'
import { useEffect, useState } from 'react'

/** Missing until the list of known passwords has answered for this password. */
export type Verdict = { weakness: PasswordWeakness | undefined } | undefined

/** Verdict about a password, by the rules and the list of the server; the list loads with the first password. */
export function usePasswordWeakness(password: string, personal: PersonalWords): Verdict {
  const [listed, setListed] = useState<{ password: string; found: boolean }>()

  useEffect(() => {
    if (password === '') return
    let current = true
    isKnown(password).then(
      (found) => current && setListed({ password, found }),
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [password])

  const weakness = patternWeakness(password, personal)
  if (weakness === 'address') return { weakness }
  if (listed?.password === password && listed.found) return { weakness: 'common' }
  return weakness || listed?.password === password ? { weakness } : undefined
}

let list: Promise<Uint8Array> | undefined

async function isKnown(password: string): Promise<boolean> {
  // Browsers have no hashes on pages without TLS; there the server alone knows the list.
  if (!crypto.subtle) return false
  list ??= load()
  const [entries, hash] = await Promise.all([
    list,
    crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalPassword(password))),
  ])
  return isListed(entries, new Uint8Array(hash))
}

async function load(): Promise<Uint8Array> {
  try {
    const answer = await fetch(PASSWORD_LIST)
    if (!answer.ok) throw new Error('The list of known passwords is missing')
    return new Uint8Array(await answer.arrayBuffer())
  } catch (error) {
    // The next character tries again.
    list = undefined
    throw error
  }
}
