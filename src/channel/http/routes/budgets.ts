import { z } from '@hono/zod-openapi'
import { body, json, newRoutes, noContent, route, type App, type Services } from '../route.ts'
import { named, page, words } from '../schemas.ts'

const amount = z.number().nullable()
const budgetSchema = named('Budget', {
  userId: z.string(),
  from: z.string().nullable().describe('whose budget it is: the own one, * or none'),
  dailyTokens: amount,
  dailyToolCost: amount,
  dailyCost: amount,
  left: z.object({ tokens: amount, tools: amount, cost: amount }),
})

const userParam = z.object({ userId: words(200) })
const limit = z.int().min(0).nullable().optional()

const own = route('chat:read', 'get /api/budget', {
  summary: 'What you may still spend today',
  responses: { 200: json(budgetSchema, 'your budget') },
})

const list = route('user:read', 'get /api/budgets', {
  summary: 'The daily budgets of users; * is the one of everybody who has none',
  responses: { 200: json(page(budgetSchema), 'budgets') },
})

const set = route('user:manage', 'put /api/budgets/{userId}', {
  summary: 'Set what a user may spend on a day (UTC)',
  description: 'A limit that is not given, or null, is none. Costs are micro-dollars.',
  request: {
    params: userParam,
    ...body(z.strictObject({ dailyTokens: limit, dailyToolCost: limit, dailyCost: limit })),
  },
  responses: { 200: json(budgetSchema, 'the budget') },
})

const remove = route('user:manage', 'delete /api/budgets/{userId}', {
  summary: 'Let a user spend without a limit of their own',
  request: { params: userParam },
  responses: { 204: { description: 'it is gone' } },
})

export function budgetRoutes({ budgets }: Services): App {
  return newRoutes()
    .openapi(own, async (c) => c.json(await budgets.get(c.get('actor')), 200))
    .openapi(list, async (c) => c.json({ items: await budgets.list(c.get('actor')), next: null }, 200))
    .openapi(set, async (c) => {
      const { dailyTokens = null, dailyToolCost = null, dailyCost = null } = c.req.valid('json')
      const limits = { dailyTokens, dailyToolCost, dailyCost }
      return c.json(await budgets.set(c.get('actor'), c.req.valid('param').userId, limits), 200)
    })
    .openapi(remove, (c) => noContent(c, budgets.remove(c.get('actor'), c.req.valid('param').userId)))
}
