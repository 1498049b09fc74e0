/** Operators of third parties: what a jar gives, and what it sees of a node. */
@NullMarked
package org.relaxvm.interoponnx.spi;

import org.jspecify.annotations.NullMarked;
