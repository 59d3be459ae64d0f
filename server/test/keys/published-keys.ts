import { expect } from 'vitest'
import type { TestServer } from '../test-server.ts'

/** Resolves once keys of EdDSA are published: each server does so soon after an app has chosen the algorithm. */
export async function untilEddsaIsPublished({ app }: TestServer): Promise<void> {
  const types = async () => (await app.inject('/jwks')).json().keys.map(({ kty }: { kty: string }) => kty)
  await expect.poll(types).toContain('OKP')
}
