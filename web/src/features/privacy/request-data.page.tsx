import { useQuery } from '@tanstack/react-query'
import { privacy } from '@vrata/contract'
import { ARCHIVE_PARTS, type ArchivePart } from '@vrata/contract/privacy'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { useWires } from '../../lib/wires.tsx'
import { Card, CardBody, CardHead } from '../../ui/card.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { Checkbox } from '../../ui/switch.tsx'
import { ArchivesCard } from './archives-card.tsx'
import { bytesIn } from './bytes.ts'
import { dataRequests, isRunning } from './data.ts'

/** A copy of all that is kept about a person: what of it, how far it is, and the way to it. */
export function RequestDataPage() {
  const { t, locale } = useI18n()
  const wires = useWires()
  const { refusal } = useRefusal()
  const options = dataRequests(wires)
  const requests = useQuery(options)
  const running = requests.data?.some(isRunning) ?? false
  const last = requests.data?.find(({ bytes }) => bytes !== null)?.bytes

  async function request(_: unknown, data: FormData) {
    const parts = ARCHIVE_PARTS.filter((part) => data.has(part)) as ArchivePart[]
    if (!parts.length) return { message: t('privacy.data.choose') }
    const answer = await wires.api(privacy.requestData, { parts })
    if (!answer.ok) return refusal(answer)
    await wires.queries.invalidateQueries({ queryKey: options.queryKey })
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
            {last && <p className="text-muted">{t('privacy.data.last_size', { size: bytesIn(locale, last) })}</p>}
            <Submit aria-disabled={running}>{t(running ? 'privacy.data.running' : 'privacy.data.do')}</Submit>
          </Form>
        </CardBody>
      </Card>
      <ArchivesCard requests={requests} />
    </>
  )
}
