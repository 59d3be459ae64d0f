import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { createI18n, I18nProvider, useI18n } from './i18n.tsx'

describe('§1 words of the pages', () => {
  test('come by slice, compiled, and change with the language in place', async () => {
    const i18n = createI18n('en-US')
    await i18n.load(['ui', 'problems'])
    expect(i18n.now().t('ui.more_characters', { count: 3 })).toBe('3 more characters')
    let repaints = 0
    i18n.subscribe(() => repaints++)
    await i18n.change('sl-SI')
    expect(i18n.now().t('ui.more_characters', { count: 3 })).toBe('Še 3 znaki')
    expect(i18n.now().t('problems.invalid_token')).toBe('Povezava ni veljavna.')
    expect(repaints).toBe(1)
  })

  test('a slice that was not loaded shows its key and does not break the page', () => {
    expect(createI18n('hr-HR').now().t('qr.home')).toBe('qr.home')
  })

  test('sentences take elements', async () => {
    const i18n = createI18n('en-US')
    await i18n.load(['problems'])
    function Sentence() {
      const { rich } = useI18n()
      return rich('problems.email_exists', { login: (words) => <a href="/login">{words}</a> })
    }
    const html = renderToStaticMarkup(
      <I18nProvider i18n={i18n}>
        <Sentence />
      </I18nProvider>,
    )
    expect(html).toBe('Email already exists. <a href="/login">Click here to log in.</a>')
  })
})
