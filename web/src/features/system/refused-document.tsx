import { useI18n } from '../../lib/i18n.tsx'
import { AlertIcon } from '../../ui/icons/icons.tsx'

/** A document that was not applied. */
export type RefusedDocument = {
  /** Name of the file. */
  name: string
  /** Sentences by path in the document. */
  fields: Record<string, string> | undefined
  /** Where no field is to blame. */
  message: string
  /** Errors of the server, in English, with lines and columns. */
  says: string
}

/** Path of a document that is no YAML. */
const WHOLE = 'body'

/** Says what is wrong with a document, and where. */
export function RefusedDocumentNotice({ document: { name, fields, message, says } }: { document: RefusedDocument }) {
  const { t } = useI18n()
  const paths = Object.entries(fields ?? {}).filter(([path]) => path !== WHOLE)
  return (
    <div role="alert" className="flex gap-3 rounded-control bg-danger-soft p-4">
      <AlertIcon className="mt-0.5 shrink-0 text-danger" />
      <div className="min-w-0 space-y-2 wrap-anywhere">
        <p className="font-semibold">{t('system.configuration.refused', { name })}</p>
        {fields ? (
          <>
            {paths.length > 0 && (
              <ul className="space-y-1">
                {paths.map(([path, sentence]) => (
                  <li key={path}>
                    <code className="font-mono text-small">{path}</code> {sentence}
                  </li>
                ))}
              </ul>
            )}
            <p lang="en" className="font-mono text-small text-muted">
              {says}
            </p>
          </>
        ) : (
          <p>{message}</p>
        )}
      </div>
    </div>
  )
}
