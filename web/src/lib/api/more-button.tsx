import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Button } from '../../ui/button.tsx'
import { useI18n } from '../i18n.tsx'

type List = Pick<
  UseInfiniteQueryResult,
  'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError'
>

/** Loads the next page of a list. A failure is shown above the button, and the loaded rows stay. */
export function MoreButton({ list, size }: { list: List; size?: 'small' }) {
  const { t } = useI18n()
  if (!list.hasNextPage) return null
  return (
    <>
      {list.isFetchNextPageError && (
        <p role="alert" className="text-danger">
          {t('menu.show_more_failed')}
        </p>
      )}
      <Button size={size} busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {t('menu.show_more')}
      </Button>
    </>
  )
}
