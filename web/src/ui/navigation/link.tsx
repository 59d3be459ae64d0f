import { type ComponentProps, createContext, type ElementType, use } from 'react'

/** Element that `Link` renders; the app provides its router link. */
export const LinkElement = createContext<ElementType<ComponentProps<'a'>>>('a')

export type LinkProps = ComponentProps<'a'> & { href: string }

/** An unstyled link, rendered by {@link LinkElement}. */
export function Link(props: LinkProps) {
  const Element = use(LinkElement)
  return <Element {...props} />
}

/** A link inside text. */
export function TextLink({ className = '', ...props }: LinkProps) {
  return (
    <Link
      {...props}
      className={`font-semibold text-brand underline-offset-4 hover:text-brand-strong hover:underline ${className}`}
    />
  )
}
