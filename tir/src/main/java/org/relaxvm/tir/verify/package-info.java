/**
 * Checks that kernels keep the rules: {@link org.relaxvm.tir.verify.Verifier} is where to start
 * reading.
 */
@NullMarked
package org.relaxvm.tir.verify;

import org.jspecify.annotations.NullMarked;
