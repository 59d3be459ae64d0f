import { formats, translator } from '@vrata/phrases'
import { htmlPage } from './html.ts'
import type { Mail, MailTemplate, OutgoingMail } from './mail-types.ts'

type Rendered = Pick<OutgoingMail, 'subject' | 'text' | 'html' | 'link'>

/** Mails to people who may have no account. */
const INVITED: ReadonlySet<string> = new Set<MailTemplate>(['invitation', 'account_invitation'])

/** Renders a mail in its language as plain text and HTML. */
export function renderMail(mail: Mail, url: string): Rendered {
  const say = translator(mail.locale)
  const values: Record<string, string> = { ...mail.values }
  // Users without a name and invited people without an account.
  values.name ||= 'none'
  const { date } = formats(mail.locale)
  if (values.when) values.when = date(new Date(values.when), 'long')
  // The time zone of the user is not known.
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
  }
  const text = [
    words.greeting,
    words.text,
    words.facts,
    `${words.action}:\n${link}`,
    words.note,
    `-- \n${words.footer}`,
  ]
    .filter(Boolean)
    .join('\n\n')
  return { subject: words.subject, text, html: htmlPage(words, link, mail.locale), link }
}
