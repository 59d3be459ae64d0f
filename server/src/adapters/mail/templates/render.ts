import type { branding } from '@vrata/contract'
import { formats, translator } from '@vrata/phrases'
import { htmlPage } from './html.ts'
import type { Mail, MailTemplate, OutgoingMail } from './mail-types.ts'

type Rendered = Pick<OutgoingMail, 'subject' | 'text' | 'html' | 'link' | 'from_name'>

/** Mails to people who may have no account. */
const INVITED: ReadonlySet<string> = new Set<MailTemplate>(['invitation', 'account_invitation'])

/** The part of the branding that mails show. */
export type MailBranding = Pick<
  branding.Branding,
  'name' | 'accent_colors' | 'mail_footer' | 'mail_from_name' | 'languages' | 'default_language'
>

/** Renders a mail in its language, or in the default one where that is not offered, as plain text and HTML. */
export function renderMail(given: Mail, url: string, branding?: MailBranding): Rendered {
  const { name, languages = [given.locale], default_language = given.locale } = branding ?? {}
  const mail = { ...given, locale: languages.includes(given.locale) ? given.locale : default_language }
  const say = translator(mail.locale, name)
  const values: Record<string, string> = { ...mail.values }
  // Users without a name and invited people without an account.
  values.name ||= 'none'
  const { date } = formats(mail.locale)
  // The time zone of the user is not known.
  if (values.when) values.when = date(values.when.slice(0, 10), 'long')
  if (values.at) values.at = `${date(values.at.slice(0, 10), 'long')}, ${values.at.slice(11, 16)} UTC`
  const phrase = (part: 'subject' | 'text' | 'action' | 'note') => say(`mail.${mail.template}.${part}`, values)
  const { link } = mail.values
  const words = {
    subject: phrase('subject'),
    greeting: say('mail.greeting', values),
    text: phrase('text'),
    facts: (['at', 'device', 'place'] as const)
      .filter((fact) => values.at && values[fact] && values[fact] !== 'none')
      // A mail with a second date names what happened at the first.
      .map((fact) => say(`mail.facts.${fact === 'at' && values.when ? 'requested' : fact}`, values))
      .join('\n'),
    action: phrase('action'),
    hint: say('mail.link.hint'),
    note: phrase('note'),
    footer: say(INVITED.has(mail.template) ? 'mail.footer.invited' : 'mail.footer', { host: new URL(url).host }),
    imprint: branding?.mail_footer[mail.locale] ?? branding?.mail_footer[default_language] ?? '',
  }
  const text = [
    words.greeting,
    words.text,
    words.facts,
    `${words.action}:\n${link}`,
    words.note,
    `-- \n${[words.footer, words.imprint].filter(Boolean).join('\n')}`,
  ]
    .filter(Boolean)
    .join('\n\n')
  const from_name = branding?.mail_from_name ?? name
  const look = { name: name ?? 'Vrata', colors: branding?.accent_colors ?? null }
  return {
    subject: words.subject,
    text,
    html: htmlPage(words, link, mail.locale, look),
    link,
    ...(from_name ? { from_name } : {}),
  }
}
