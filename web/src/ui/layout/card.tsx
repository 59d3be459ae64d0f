import type { ComponentProps, ReactNode } from 'react'
import { classes } from '../classes.ts'

/** A card; rows and blocks inside separate themselves. */
export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <section
      {...rest}
      className={classes('overflow-clip rounded-card border border-line bg-surface shadow-card', className)}
    />
  )
}

/** Title of a card with optional text and action. */
export function CardHead({
  title,
  text,
  action,
  id,
}: {
  title: string
  text?: ReactNode
  action?: ReactNode
  id?: string
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 pt-5 pb-3 sm:px-6">
      <div className="min-w-0 grow basis-48">
        <h2 id={id} className="text-title">
          {title}
        </h2>
        {text && <p className="mt-1 text-muted">{text}</p>}
      </div>
      {action}
    </div>
  )
}

/** Padded content of a card. */
export function CardBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={classes('px-5 py-5 sm:px-6', className)} />
}

/** A card that asks for attention, with rows below. At most one per page. */
export function AttentionCard({
  title,
  text,
  icon,
  action,
  children,
}: {
  title: string
  text: ReactNode
  icon: ReactNode
  action?: ReactNode
  children?: ReactNode
}) {
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-4 bg-accent-soft p-5 sm:p-6">
        <span className="flex h-14 w-12 shrink-0 items-center justify-center rounded-arch bg-accent pt-1 text-[#2b1a00]">
          {icon}
        </span>
        <div className="min-w-0 grow basis-40">
          <h2 className="text-title">{title}</h2>
          <p className="text-on-accent">{text}</p>
        </div>
        {action && <div className="flex w-full sm:w-auto *:grow">{action}</div>}
      </div>
      {children && <div className="border-t border-line">{children}</div>}
    </Card>
  )
}
