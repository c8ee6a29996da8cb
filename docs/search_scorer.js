// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0

// How the site's search orders what it finds: tasks first, then the reference; what no reader
// needs to use anything comes last. Sphinx takes the place of its own scorer by this one.
const FIRST = { how_to: 20, tutorials: 12 };
const LAST = { api: -10, originals: -15, results: -15, project: -30 };

// eslint-disable-next-line no-unused-vars
var Scorer = {
  score: ([page, , , , score]) => {
    const folder = page.split("/")[0];
    const weight = page === "project/contributing" ? 0 : (FIRST[folder] ?? LAST[folder] ?? 0);
    return score + weight;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
