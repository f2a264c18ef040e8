/** A view as it is on the wire: times are texts there. */
export type Wire<View> = {
  [Name in keyof View]: Name extends `${string}At` ? Exclude<View[Name], number> | string : View[Name]
}
