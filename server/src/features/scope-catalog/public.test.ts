import { LOCALES } from '@vrata/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { openStore } from '../../../test/databases/open-store.ts'
import type { Db } from '../../db/open.ts'
import { describeScopes, findExistingScopes, listScopeOwners, STANDARD_SCOPES } from './public.ts'

/** Keys of the scopes that clients define. */
async function listScopeKeys(db: Parameters<typeof listScopeOwners>[0]): Promise<string[]> {
  return (await listScopeOwners(db, { limit: 100 })).map(({ key }) => key)
}

let db: Db
beforeEach(async () => {
  db = (await openStore()).store.db
})

/** Inserts a client with scopes. */
async function defineScopes(texts: Record<string, Record<string, { title: string; description: string }>>) {
  const at = '2026-11-21T10:00:00.000Z'
  const nothing = { logo: null, website: null, description: null, company: null, limits: null }
  const decided = { enabled: 1, verified: 0, search: '' } as const
  await db
    .insertInto('developers')
    .values({ id: 'd', name: 'Kraški studio', created_at: at, ...nothing, ...decided })
    .execute()
  await db
    .insertInto('clients')
    .values({
      client_id: 'vrt_notes',
      developer_id: 'd',
      sort_name: 'notes',
      secret_last_used_at: null,
      name: 'Notes',
      icon: null,
      description: null,
      home_page_url: null,
      privacy_policy_url: null,
      terms_of_service_url: null,
      type: 'web',
      enabled: 1,
      disabled_by: null,
      verified: 0,
      trusted: 0,
      scopes: '[]',
      scope_prefix: 'notes',
      secret_hash: null,
      secret_hint: null,
      secret_created_at: null,
      previous_secret_hash: null,
      previous_secret_until: null,
      require_client_secret: 1,
      require_pkce: 1,
      allow_popup: 0,
      jwks: null,
      jwks_uri: null,
      id_token_signed_response_alg: 'ES256',
      id_token_claims: 'scopes',
      access_token_format: 'opaque',
      token_generation: 0,
      security_profile: 'standard',
      token_endpoint_auth_signing_alg: null,
      request_object_signing_alg: null,
      require_signed_request_object: 0,
      authorization_signed_response_alg: null,
      userinfo_signed_response_alg: null,
      introspection_signed_response_alg: null,
      tls_client_auth_subject_dn: null,
      tls_client_auth_san_dns: null,
      tls_client_auth_san_uri: null,
      tls_client_auth_san_ip: null,
      tls_client_auth_san_email: null,
      dpop_bound_access_tokens: 0,
      tls_client_certificate_bound_access_tokens: 0,
      require_pushed_authorization_requests: 0,
      require_nonce: 0,
      backchannel_logout_uri: null,
      frontchannel_logout_uri: null,
      frontchannel_logout_session_required: 1,
      initiate_login_uri: null,
      sector_identifier: null,
      sector_identifier_uri: null,
      token_endpoint_auth_method: 'client_secret_basic',
      post_logout_redirect_uris: '[]',
      access_token_ttl: 600,
      refresh_token_ttl: 3600,
      created_at: at,
      updated_at: at,
    })
    .execute()
  for (const [key, languages] of Object.entries(texts)) {
    await db
      .insertInto('scopes')
      .values({ key, client_id: 'vrt_notes', sensitive: 0, required: 0, search: key, created_at: at })
      .execute()
    for (const [locale, text] of Object.entries(languages)) {
      await db
        .insertInto('scope_texts')
        .values({ key, locale, ...text })
        .execute()
    }
  }
}

const reading = {
  'en-US': { title: 'Read notes', description: 'All of them.' },
  'hr-HR': { title: 'Čitanje bilješki', description: 'Svih.' },
}

describe('standard scopes', () => {
  test.each(LOCALES)('have a title and a description in %s', async (locale) => {
    const texts = await describeScopes(db, STANDARD_SCOPES, locale)
    expect(texts.map(({ key }) => key)).toEqual(STANDARD_SCOPES)
    for (const { key, title, description } of texts) {
      expect([title, description], key).not.toContain('')
      expect(title, key).not.toContain('scope.')
      expect(description, key).not.toContain('scope.')
    }
  })

  test('are not client-defined scopes', async () => {
    expect(await listScopeKeys(db)).toEqual([])
  })
})

describe('client-defined scopes', () => {
  test('are found by key among unknown keys', async () => {
    await defineScopes({ 'notes.read': reading, 'notes.write': {} })
    expect(await listScopeKeys(db)).toEqual(['notes.read', 'notes.write'])
    expect([...(await findExistingScopes(db, ['openid', 'notes.read', 'notes', 'constructor']))].sort()).toEqual([
      'notes.read',
      'openid',
    ])
  })

  test('have texts in the requested language, in the order of the keys', async () => {
    await defineScopes({ 'notes.read': reading })
    const texts = await describeScopes(db, ['notes.read', 'openid', 'nothing.such'], 'hr-HR')
    expect(texts.map(({ title }) => title)).toEqual(['Čitanje bilješki', 'Prepoznavanje vašeg računa'])
  })

  test('fall back to another language, and without any text to their key', async () => {
    await defineScopes({ 'notes.read': reading, 'notes.write': {} })
    expect(await describeScopes(db, ['notes.read', 'notes.write'], 'sl-SI')).toMatchObject([
      { key: 'notes.read', title: 'Read notes', description: 'All of them.', language: 'en-US' },
      { key: 'notes.write', title: 'notes.write', description: '', language: null },
    ])
  })

  test('are deleted with their client', async () => {
    await defineScopes({ 'notes.read': reading })
    await db.deleteFrom('clients').execute()
    expect(await listScopeKeys(db)).toEqual([])
    expect(await db.selectFrom('scope_texts').selectAll().execute()).toEqual([])
  })
})
