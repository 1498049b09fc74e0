/**
 * Kernels that a compiler or device must run as the evaluator of the kernel IR does: {@link
 * org.relaxvm.backendtestkit.corpus.KernelCorpus} lists them, {@link
 * org.relaxvm.backendtestkit.corpus.CorpusRun} runs them.
 */
@NullMarked
package org.relaxvm.backendtestkit.corpus;

import org.jspecify.annotations.NullMarked;
