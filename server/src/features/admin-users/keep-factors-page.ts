import { adminUsers, isProblemCode, type Locale, paths } from '@vrata/contract'
import { formats, problemKey, translator } from '@vrata/phrases'
import escapeHtml from 'escape-html'
import type { ServedForm } from '../../http/pages/html-forms.ts'
import type { PlainContent, ServedPlainPage } from '../../http/pages/plain-pages.ts'
import { serve } from '../../http/serve.ts'
import { checkFactorReset, keepFactors } from './reset-factors.ts'

const PATH = '/keep-factors/:token'

/** The page of the mail about a waiting removal of second factor and passkeys. It has no script. */
export const keepFactorsPage: ServedPlainPage = {
  path: PATH,
  served: serve(adminUsers.checkFactorReset, checkFactorReset),
  afterSignIn: ({ token = '' }) => paths.keepFactors(token),
  show: (locale, answer, parameters) => describe(locale, answer as adminUsers.FactorResetState, parameters.problem),
  fail(locale, problem) {
    const say = translator(locale)
    if (problem !== 'invalid_token')
      return { title: say('ui.error.heading'), html: `<p role="alert">${escapeHtml(say(problemKey(problem)))}</p>` }
    return {
      title: say('plain-pages.factors.invalid'),
      html: `<p>${escapeHtml(say('plain-pages.factors.invalid_text'))}</p>`,
    }
  },
}

export const keepFactorsForm: ServedForm = {
  path: PATH,
  served: serve(adminUsers.keepFactors, keepFactors),
  next: (_, __, { token = '' }) => paths.keepFactors(token),
}

function describe(
  locale: Locale,
  { state, due_at }: adminUsers.FactorResetState,
  problem: string | undefined,
): PlainContent {
  const say = translator(locale)
  const text = (sentence: string) => `<p>${escapeHtml(sentence)}</p>`
  if (state === 'stopped')
    return {
      title: say('plain-pages.factors.stopped'),
      html: text(say('plain-pages.factors.stopped_text')),
    }
  if (state === 'done')
    return {
      title: say('plain-pages.factors.done'),
      html: text(say('plain-pages.factors.done_text')),
    }
  const when = `${formats(locale).date(due_at.slice(0, 10), 'long')}, ${due_at.slice(11, 16)} UTC`
  const code = problem !== undefined && isProblemCode(problem) ? problem : undefined
  return {
    title: say('plain-pages.factors.title'),
    html: `${code ? `<p role="alert">${escapeHtml(say(problemKey(code)))}</p>` : ''}
${text(say('plain-pages.factors.text', { when }))}
${text(say('plain-pages.factors.hint'))}
<form method="post"><button value="keep" name="keep">${escapeHtml(say('plain-pages.factors.keep'))}</button></form>`,
  }
}
