/** Models as exporters write them: shapes computed by nodes, operators in their composites. */
@NullMarked
package org.relaxvm.interoponnx.exported;

import org.jspecify.annotations.NullMarked;
