/**
 * Data-flow execution: which calls of a function do not depend on each other, and when they run at
 * the same time.
 */
@NullMarked
package org.relaxvm.vmcore.dataflow;

import org.jspecify.annotations.NullMarked;
