import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test, vi } from 'vitest'
import { createI18n, I18nProvider, useI18n } from './i18n.tsx'

describe('createI18n', () => {
  test('loads compiled files and changes the language in place', async () => {
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

  test('loads files that are requested while the language changes', async () => {
    const i18n = createI18n('en-US')
    await i18n.load(['ui'])
    const changed = i18n.change('hr-HR')
    await i18n.load(['statistics'])
    await changed
    expect(i18n.now().find('statistics.title')).toBeDefined()
  })

  test('shows the language that was chosen last, not the one that loaded last', async () => {
    const i18n = createI18n('en-US')
    await i18n.load(['ui'])
    const shown = await Promise.all([i18n.change('sl-SI'), i18n.change('hr-HR')])
    expect(shown).toEqual([false, true])
    expect(i18n.now().locale).toBe('hr-HR')
  })

  test('reports a phrase that is not loaded and never shows its key', () => {
    const report = vi.fn()
    vi.stubGlobal('reportError', report)
    expect(createI18n('hr-HR').now().t('qr-sign-in.home')).toBe('')
    expect(report).toHaveBeenCalledWith(new Error('The phrase qr-sign-in.home is not loaded in hr-HR'))
    vi.unstubAllGlobals()
  })

  test('inserts elements into phrases', async () => {
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
