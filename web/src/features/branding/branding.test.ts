import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { act, renderHook } from '@testing-library/react'
import { accentTokens } from '@vrata/contract/accent-colors'
import type { Branding } from '@vrata/contract/branding'
import { describe, expect, test } from 'vitest'
import { colorOf, DELIVERED_COLORS, previewStyle } from './preview-style.ts'
import { changesOf, useDraft } from './use-draft.ts'

const SAVED: Branding = {
  name: 'Acme',
  accent: '#7a1fa2',
  accent_colors: null,
  logo: null,
  logo_dark: null,
  icon: null,
  support_url: null,
  imprint_url: null,
  mail_from_name: null,
  mail_footer: { 'en-US': 'Acme Ltd', 'sl-SI': 'Acme, d. o. o.' },
  sign_in_text: {},
  languages: ['en-US', 'sl-SI'],
  default_language: 'en-US',
}

describe('unsaved changes of the look', () => {
  test('are the fields that would be stored differently', () => {
    expect(changesOf(SAVED, { name: ' Acme ', support_url: '', mail_footer: SAVED.mail_footer })).toEqual({})
    expect(changesOf(SAVED, { name: ' ', accent: '#7a1fa3' })).toEqual({ name: null, accent: '#7a1fa3' })
  })

  test('keep the texts of other languages, and leave out an emptied one', () => {
    const mail_footer = { 'sl-SI': 'Acme, d. o. o.', 'en-US': ' ' }
    expect(changesOf(SAVED, { mail_footer })).toEqual({ mail_footer: { 'sl-SI': 'Acme, d. o. o.' } })
  })
})

test('input during the saving of earlier changes stays', () => {
  const { result, rerender } = renderHook(useDraft, { initialProps: SAVED })
  act(() => result.current.change('name', 'Acme & Sons'))
  const { settle } = result.current
  act(() => result.current.changeText('sign_in_text', 'en-US', 'Ask in room 12.'))
  rerender({ ...SAVED, name: 'Acme & Sons' })
  act(() => settle())
  expect(result.current.draft.name).toBe('Acme & Sons')
  expect(result.current.changes).toEqual({ sign_in_text: { 'en-US': 'Ask in room 12.' } })
})

test('a text that is being entered keeps what others save in another language', () => {
  const { result, rerender } = renderHook(useDraft, { initialProps: SAVED })
  act(() => result.current.changeText('mail_footer', 'en-US', 'Acme Limited'))
  rerender({ ...SAVED, mail_footer: { ...SAVED.mail_footer, 'sl-SI': 'Acme, Ljubljana' } })
  expect(result.current.changes).toEqual({ mail_footer: { 'en-US': 'Acme Limited', 'sl-SI': 'Acme, Ljubljana' } })
  act(() => result.current.changeText('mail_footer', 'en-US', 'Acme Ltd'))
  expect(result.current.dirty).toBe(false)
})

describe('colors of the preview', () => {
  test('are those of the pages, in both themes', () => {
    const css = readFileSync(join(import.meta.dirname, '../../ui/tokens.css'), 'utf8')
    const tokens = [...css.matchAll(/--color-([a-z-]+): light-dark\((#\w{6}), (#\w{6})\)/g)]
    expect(Object.fromEntries(tokens.map(([, name, light, dark]) => [name, [light, dark]]))).toEqual(DELIVERED_COLORS)
  })

  test('follow the accent color, each logo the theme of its ground', () => {
    const style = previewStyle({ accent: '#7a1fa2', logo: 'light.webp', logo_dark: 'dark.webp' }, '')
    const [light, dark] = accentTokens('#7a1fa2').brand ?? []
    expect(style).toContain(`--color-brand:light-dark(${light},${dark})`)
    expect(style).toMatch(/\[data-theme=light\] \.logo\{background:url\(\/v1\/media\/light\.webp/)
    expect(style).toMatch(/\[data-theme=dark\] \.logo\{background:url\(\/v1\/media\/dark\.webp/)
  })

  test('stay while a color is being typed', () => {
    expect(colorOf(' #7A1FA2 ')).toBe('#7a1fa2')
    expect(colorOf('#7a1')).toBeNull()
  })
})
