import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { Submit } from '../../ui/form/form.tsx'

/** Appears above the edge of the window while there are unsaved changes. */
export function SaveBar({ dirty, onDiscard }: { dirty: boolean; onDiscard: () => void }) {
  const { t } = useI18n()
  return (
    <>
      <p role="status" className="sr-only">
        {dirty && t('branding.unsaved')}
      </p>
      {dirty && (
        <div className="sticky bottom-[calc(var(--bar-height)+1rem)] z-10 flex flex-wrap items-center justify-end gap-3 rounded-card border border-line bg-surface px-5 py-3 shadow-popup">
          <span aria-hidden="true" className="hidden grow text-muted sm:block">
            {t('branding.unsaved')}
          </span>
          <Button onClick={onDiscard}>{t('branding.discard')}</Button>
          <Submit>{t('branding.save')}</Submit>
        </div>
      )}
    </>
  )
}
