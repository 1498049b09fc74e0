/**
 * A cache on disk of what the evaluator computes for the kernel corpus, shared by all test runs of
 * a build. Start reading at {@link org.relaxvm.backendtestkit.cache.ExpectedTensors}.
 */
@NullMarked
package org.relaxvm.backendtestkit.cache;

import org.jspecify.annotations.NullMarked;
