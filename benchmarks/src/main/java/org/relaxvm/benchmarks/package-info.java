/** JMH benchmarks. Each has its peer in the same run; figures are reported as a ratio. */
@NullMarked
package org.relaxvm.benchmarks;

import org.jspecify.annotations.NullMarked;
