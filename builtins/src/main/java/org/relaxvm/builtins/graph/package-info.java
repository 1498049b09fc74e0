/** The functions of programs compiled for CUDA graphs, and what they keep between calls. */
@NullMarked
package org.relaxvm.builtins.graph;

import org.jspecify.annotations.NullMarked;
