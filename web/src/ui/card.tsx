import type { ComponentProps, ReactNode } from 'react'
import { classes } from './classes.ts'

/** A white sheet with a hairline; rows and blocks inside separate themselves. */
export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <section
      {...rest}
      className={classes('overflow-clip rounded-card border border-line bg-surface shadow-card', className)}
    />
  )
}

/** Title of a card, with an optional line beneath and an action at the end. */
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

/** Room for free content inside a card. */
export function CardBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={classes('px-5 py-5 sm:px-6', className)} />
}

/** The card that asks for attention: lamp ground on top, rows below. One per page at most. */
export function LampCard({
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
      <div className="flex flex-wrap items-center gap-4 bg-lamp-soft p-5 sm:p-6">
        <span className="flex h-14 w-12 shrink-0 items-center justify-center rounded-arch bg-lamp pt-1 text-[#2b1a00]">
          {icon}
        </span>
        <div className="min-w-0 grow basis-40">
          <h2 className="text-title">{title}</h2>
          <p className="text-on-lamp">{text}</p>
        </div>
        {action && <div className="flex w-full sm:w-auto *:grow">{action}</div>}
      </div>
      {children && <div className="border-t border-line">{children}</div>}
    </Card>
  )
}
