import { useQuery } from '@tanstack/react-query'
import { privacy } from '@vrata/contract'
import { ARCHIVE_PARTS, type ArchivePart } from '@vrata/contract/privacy'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { Form, Submit } from '../../ui/form/form.tsx'
import { Checkbox } from '../../ui/form/switch.tsx'
import { Card, CardBody, CardHead } from '../../ui/layout/card.tsx'
import { ArchivesCard } from './archives-card.tsx'
import { formatBytes } from './format-bytes.ts'
import { dataRequests, isRunning } from './queries.ts'

/** Requests a copy of the user's data. */
export function RequestDataPage() {
  const { t, locale } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  const options = dataRequests(context)
  const requests = useQuery(options)
  const running = requests.data?.some(isRunning) ?? false
  const last = requests.data?.find(({ bytes }) => bytes !== null)?.bytes

  async function request(_: unknown, data: FormData) {
    const parts = ARCHIVE_PARTS.filter((part) => data.has(part)) as ArchivePart[]
    if (!parts.length) return { message: t('privacy.data.choose') }
    const answer = await context.api(privacy.requestData, { parts })
    if (!answer.ok) return formErrors(answer)
    await context.queries.invalidateQueries({ queryKey: options.queryKey })
  }

  return (
    <>
      <Card aria-labelledby="request-data">
        <CardHead id="request-data" title={t('privacy.data.title')} text={t('privacy.data.text')} />
        <CardBody className="pt-0">
          <Form onSubmit={request}>
            <div className="flex flex-col">
              {ARCHIVE_PARTS.map((part) => (
                <Checkbox
                  key={part}
                  name={part}
                  label={t(`privacy.part.${part}`)}
                  text={t(`privacy.part.${part}.text`)}
                  defaultChecked
                />
              ))}
            </div>
            {last && <p className="text-muted">{t('privacy.data.last_size', { size: formatBytes(locale, last) })}</p>}
            <Submit aria-disabled={running}>{t(running ? 'privacy.data.running' : 'privacy.data.do')}</Submit>
          </Form>
        </CardBody>
      </Card>
      <ArchivesCard requests={requests} />
    </>
  )
}
