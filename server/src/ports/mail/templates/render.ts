import { formats, translator } from '@vrata/phrases'
import type { Letter, Mail } from '../mail.ts'
import { htmlPage } from './html.ts'

type Rendered = Pick<Letter, 'subject' | 'text' | 'html' | 'link'>

/** Says a mail in its language, as plain text and as HTML. */
export function renderMail(mail: Mail, url: string): Rendered {
  const say = translator(mail.locale)
  const values: Record<string, string> = { ...mail.values }
  // Some have no name, and an address that is invited may have no account.
  values.name ||= 'none'
  if (values.when) values.when = formats(mail.locale).date(new Date(values.when), 'long')
  const said = (part: 'subject' | 'text' | 'action' | 'note') => say(`mail.${mail.template}.${part}`, values)
  const { link } = mail.values
  const words = {
    subject: said('subject'),
    greeting: say('mail.greeting', values),
    text: said('text'),
    action: said('action'),
    hint: say('mail.link.hint'),
    note: said('note'),
    footer: say(mail.template === 'invitation' ? 'mail.footer.invited' : 'mail.footer', { host: new URL(url).host }),
  }
  const text = [words.greeting, words.text, `${words.action}:\n${link}`, words.note, `-- \n${words.footer}`].join(
    '\n\n',
  )
  return { subject: words.subject, text, html: htmlPage(words, link, mail.locale), link }
}
