/*
 * Blocks the event loop now and then for 5 to 250 ms, as a busy machine does, in each process that loads it.
 */
function block() {
  const end = performance.now() + 5 + 245 * Math.random() ** 3
  while (performance.now() < end);
  setTimeout(block, 20 + 500 * Math.random()).unref()
}
block()
