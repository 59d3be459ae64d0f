import { downloadFile } from '../../../lib/download-file.ts'
import { useI18n } from '../../../lib/i18n.tsx'
import { useUser } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/content/copy-button.tsx'
import { Form, Submit } from '../../../ui/form/form.tsx'
import { Checkbox } from '../../../ui/form/switch.tsx'
import { printText } from './print-text.ts'

/** Recovery codes, shown only once; the user must confirm that they are saved. */
export function SaveRecoveryCodes({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  const { t } = useI18n()
  const { email } = useUser()
  const sheet = [t('security.codes.for', { email }), '', ...codes, ''].join('\n')

  async function finish(_: Record<string, string>, data: FormData) {
    if (!data.has('kept')) return { message: t('security.codes.kept_needed') }
    onSaved()
  }

  return (
    <>
      <p className="text-muted">{t('security.codes.save_text')}</p>
      <ol
        aria-label={t('security.codes.title')}
        className="my-4 grid grid-cols-[repeat(auto-fit,minmax(min(12.5rem,100%),1fr))] gap-x-6 gap-y-1 rounded-control border border-line bg-sunken px-4 py-3 font-mono text-lead whitespace-nowrap max-[24rem]:px-2 max-[24rem]:text-[0.75rem]"
      >
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ol>
      <div className="mb-3 flex flex-wrap gap-3">
        <CopyButton text={codes.join('\n')} what={t('security.codes.title')} />
        <Button
          size="small"
          onClick={() => downloadFile(new Blob([sheet], { type: 'text/plain' }), `${t('security.codes.file')}.txt`)}
        >
          {t('security.codes.download')}
        </Button>
        <Button size="small" onClick={() => printText(sheet)}>
          {t('security.codes.print')}
        </Button>
      </div>
      <Form onSubmit={finish} className="gap-3">
        <Checkbox name="kept" value="yes" label={t('security.codes.kept')} />
        <Submit>{t('security.codes.finish')}</Submit>
      </Form>
    </>
  )
}
