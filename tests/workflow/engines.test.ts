import { engineSuite } from './engines.suite.ts'
import { OUTSIDES } from './support/outsides.ts'

for (const [name, open] of OUTSIDES) engineSuite(name, open)
