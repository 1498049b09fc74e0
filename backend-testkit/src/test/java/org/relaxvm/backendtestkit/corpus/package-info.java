/** Tests of the corpus of kernels. */
@NullMarked
package org.relaxvm.backendtestkit.corpus;

import org.jspecify.annotations.NullMarked;
