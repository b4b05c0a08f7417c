"""From a game to a certified solution. To read it in five minutes, follow one call of `ruse.solve`:

pipeline.solve            checks the options, and sets the deadline
routes.solve_request      runs the first route that does not decline the request
    routes/<route>.py     refusal(request): why the route declines, or ""; run(request): a SolveResult
    auto                  which solvers `auto` runs on each route
    solve_form            solvers on a sequence form
    iterate               iterating solvers to their limits, with bounds on the way
    writing               plans on a form as tables of odds by position
certify.certified         decides which bounds ruse announces, and what they rest on

What is passed on, from the call to the answer:

SolveOptions              what the user asks for
SolveRequest              a game with a solver and these options: what a route gets
Task                      a game and its form: what a solver gets
CertifiedPlans            what a solver of a form returns; StateStrategies, if it goes by states
Iterating                 what an iterating solver returns: a run, which `iterate` turns into a RunResult
SolveResult               what a route returns: strategies with a certificate
Solution                  what the user gets: strategies with the certificate that ruse announces
"""
